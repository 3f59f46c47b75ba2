(** * BYKEY: all buckets

    Keys of both sides pair off, and what pairs puts out is equal; a bucket without a partner puts nothing out ([outputs_same]). *)
From Tallystick Require Export ByKeySound.

Definition other (x1 x2 y : name) := negb (name_eqb y x1) && negb (name_eqb y x2).
Lemma assign_rel (rel : env -> env -> Prop) ss : (forall r r' s v, rel r r' -> rel (set r (slot_name s) (slot_type s) v) (set r' (slot_name s) (slot_type s) v)) ->
  forall r0 r0', (forall s, In s ss -> r0 (fst (fst s)) (TBag (slot_type s)) = r0' (fst (fst s)) (TBag (slot_type s))) ->
  forall r r', rel r r' -> Forall2 rel (assign r0 r ss) (assign r0' r' ss).
Proof.
  intros S r0 r0'. induction ss as [|s ss IH]; cbn [assign]; intros H r r' RR; [repeat constructor; auto|].
  rewrite (H s (or_introl eq_refl)). induction (elements _) as [|v l IHl]; cbn [flat_map]; [constructor|].
  apply Forall2_app; auto. apply IH; auto. intros; apply H; right; auto.
Qed.
Lemma Forall2_in_l {A B} (P : A -> B -> Prop) l k x : Forall2 P l k -> In x l -> exists y, In y k /\ P x y.
Proof. induction 1; cbn; [tauto|]. intros [<-|I]; [eauto|]. destruct (IHForall2 I) as (z & Z & W). eauto. Qed.
Lemma Forall2_in_r {A B} (P : A -> B -> Prop) l k y : Forall2 P l k -> In y k -> exists x, In x l /\ P x y.
Proof. induction 1; cbn; [tauto|]. intros [<-|I]; [eauto|]. destruct (IHForall2 I) as (z & Z & W). eauto. Qed.

Section Final.
  Variables (G inv : term) (d1 d2 : side) (ss : list slot).
  Notation ds := [d1; d2].
  Notation sts := (all_states [d1; d2]).
  Hypothesis PG : plain G = true.
  Hypothesis TG : bool_term G.
  Hypothesis PI : plain inv = true.
  Hypothesis TI : bool_term inv.
  Hypothesis DN : distinct_names (map acc sts) = true.
  Hypothesis KN : forall d, In d ds -> find_state sts (kx d) (kt d) = None /\ is_slot (kx d) = false /\ stands (ax d) = true /\ stands (ex d) = true.
  Hypothesis TS : forall d, In d ds -> type (start d) = Some (tt d) /\ typeof (Some (vt d)) (Some (tt d)) (step' d) = Some (tt d) /\
    type (source d) = Some (TBag (TTup [kt d; vt d])) /\ monomials (source d) = Some [sm d] /\ plain (step' d) = true /\ plain (source d) = true.
  Hypothesis SS : forall d, In d ds -> slots (sm d) = ss /\ indexed (sm d).
  Hypothesis FR : forall s t, In s sts -> In t (G :: flat_map (fun d => [step' d; present (sm d); result (sm d)]) ds) -> occurs (acc s) t = false.
  Hypothesis PK : plain (conj [G; inv]) = true.
  Hypothesis IB : forall d t, In d ds -> In t [present (bucket_mono d); result (bucket_mono d)] ->
    covered ss t = true /\ forall s, In s sts -> occurs (acc s) t = false.
  Hypothesis V : forall p, In p (by_key_premises G inv d1 d2) -> valid p.
  Variable pt : side -> ty.
  Hypothesis PMW : forall d, In d ds -> well (pt d) (pm d) /\ pt d1 = pt d2.
  Hypothesis PMC : forall d t, In d ds -> In t [present (pm d); result (pm d)] -> covered [(Post, pair_type d, O)] t = true /\
    occurs Post t = false /\ forall s, In s sts -> occurs (acc s) t = false.
  (** Key variables occur nowhere. *)
  Hypothesis KD : name_eqb (kx d1) (kx d2) = false.
  Hypothesis KF : forall d t, In d ds -> In t (G :: flat_map (fun d => [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)]) ds) ->
    occurs (kx d) t = false.
  Hypothesis KS : forall d s, In d ds -> In s ss -> name_eqb (fst (fst s)) (kx d) = false.

  Variable r : env.
  Hypothesis R : typed r.
  Hypothesis HG : toB (meaning r G) = true.
  Notation idx := (assign r r ss).
  Let D1 : In d1 ds := or_introl eq_refl.
  Let D2 : In d2 ds := or_intror (or_introl eq_refl).
  Definition world d : env := set r Post (TBag (pair_type d)) (meaning r (by_key_term d)).
  Definition o d k := out (set (world d) (S Post O) (pair_type d) (VTup [k; bucket r d k])) (pm d).

  (** The same environment with other keys. *)
  Definition rk (a b : val) := set (set r (kx d1) (kt d1) a) (kx d2) (kt d2) b.
  Definition near (s s' : env) := forall y u, name_eqb y (kx d1) = false -> name_eqb y (kx d2) = false -> s y u = s' y u.
  Lemma near_rk a b : near r (rk a b).
  Proof. intros y u N1 N2. unfold rk, set. now rewrite N1, N2. Qed.
  Lemma near_meaning s s' t : near s s' -> In t (G :: flat_map (fun d => [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)]) ds) ->
    forall e a, eval s e a t = eval s' e a t.
  Proof.
    intros N T. apply eval_ext. intros y u U. apply uses_occurs in U. 
    apply N; apply not_true_is_false; intros E; apply name_eqb_eq in E; subst; [rewrite (KF d1 t D1 T) in U|rewrite (KF d2 t D2 T) in U]; discriminate.
  Qed.
  Lemma listed d t : In d ds -> In t [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)] ->
    In t (G :: flat_map (fun d => [start d; step' d; source d; present (sm d); result (sm d); present (pm d); result (pm d)]) ds).
  Proof. intros I T. right. apply in_flat_map. eauto. Qed.
  Lemma near_idx a b : Forall2 near idx (assign (rk a b) (rk a b) ss).
  Proof.
    apply assign_rel.
    - intros s s' sl v N y u N1 N2. unfold set. destruct (_ && _); auto.
    - intros s S'. apply near_rk; apply KS; auto.
    - apply near_rk.
  Qed.
  Lemma near_at s s' d : near s s' -> In d ds -> present_at d s = present_at d s' /\ key_at d s = key_at d s'.
  Proof.
    intros N I. unfold present_at, key_at, meaning. rewrite (near_meaning s s' (present (sm d)) N), (near_meaning s s' (result (sm d)) N); auto;
      apply (listed d); cbn; auto 10.
  Qed.
  Lemma near_bucket a b d k : In d ds -> bucket (rk a b) d k = bucket r d k.
  Proof.
    intros I. unfold bucket, FS, meaning. rewrite <- (near_meaning r (rk a b) (source d) (near_rk a b)), <- (near_meaning r (rk a b) (start d) (near_rk a b)) by (apply (listed d); cbn; auto 10).
    set (l := map _ _). generalize (eval r nothing nothing (start d)). induction l; cbn; intros v; auto.
    rewrite <- (near_meaning r (rk a b) (step' d) (near_rk a b)) by (apply (listed d); cbn; auto 10). apply IHl.
  Qed.
  Lemma rk_key a b : rk a b (kx d1) (kt d1) = a /\ rk a b (kx d2) (kt d2) = b.
  Proof.
    unfold rk, set. rewrite KD, !(proj2 (name_eqb_eq _ _) eq_refl), !ty_eqb_refl. auto.
  Qed.
  Lemma near_o a b d k : In d ds -> out (set (set (rk a b) Post (TBag (pair_type d)) (meaning r (by_key_term d))) (S Post O) (pair_type d) (VTup [k; bucket r d k])) (pm d) = o d k.
  Proof.
    intros I. unfold o, world, out. 
    set (w := set (set (rk a b) Post _ _) _ _ _). set (w' := set (set r Post _ _) _ _ _).
    assert (N : near w w'). { intros y u N1 N2. unfold w, w', set. destruct (_ && _); auto. destruct (_ && _); auto. unfold rk, set. now rewrite N1, N2. }
    unfold meaning. rewrite (near_meaning w w' (present (pm d)) N), (near_meaning w w' (result (pm d)) N); auto; apply (listed d); cbn; auto 10.
  Qed.
  Lemma key_typed s d : In s idx -> In d ds -> has_type (key_at d s) (kt d).
  Proof.
    intros I D. apply (idx_ok ss r R) in I as [T _]. destruct (W d1 d2 TS d D) as [W1 _].
    unfold key_at. eapply pair_typed. apply typed_meaning; eauto.
  Qed.
  Lemma typed_rk a b : has_type a (kt d1) -> has_type b (kt d2) -> typed (rk a b).
  Proof. intros A B. unfold rk. apply set_typed; auto. apply set_typed; auto. Qed.
  Lemma HG_rk a b : toB (meaning (rk a b) G) = true.
  Proof. rewrite <- HG. f_equal. unfold meaning. symmetry. apply near_meaning; [apply near_rk|cbn; auto]. Qed.

  (** A run at chosen keys, over the elements that [p] selects. *)
  Lemma chosen a b (p : env -> bool) : has_type a (kt d1) -> has_type b (kt d2) -> (forall s s', near s s' -> p s = p s') ->
    (forall s, In s idx -> p s = true -> (present_at d1 s = true -> key_at d1 s = a) /\ (present_at d2 s = true -> key_at d2 s = b)) ->
    exists x1 x2, (if existsb (present_at d1) (filter p idx) then x1 else []) = (if existsb (present_at d2) (filter p idx) then x2 else []) /\
      ((forall s, In s idx -> here d1 a s = true -> p s = true) -> x1 = o d1 a) /\
      ((forall s, In s idx -> here d2 b s = true -> p s = true) -> x2 = o d2 b).
  Proof.
    intros A B PN EN. set (q := rk a b). assert (Q : typed q) by now apply typed_rk. pose proof (HG_rk a b) as HQ. fold q in HQ.
    pose proof (near_idx a b) as NI. fold q in NI. destruct (rk_key a b) as [KA KB]. fold q in KA, KB.
    assert (EQ : forall s, In s (assign q q ss) -> p s = true -> enabled d1 d2 q s).
    { intros s I P. destruct (idx_ok ss q Q s I) as [T AG]. destruct (Forall2_in_r _ _ _ _ NI I) as (s' & I' & N).
      rewrite <- (PN _ _ N) in P. destruct (EN s' I' P) as [E1 E2]. repeat split; auto.
      intros d [<-|[<-|[]]] PR.
      - destruct (near_at s' s d1 N D1) as [N1 N2]. rewrite KA, <- N2. apply E1. now rewrite N1.
      - destruct (near_at s' s d2 N D2) as [N1 N2]. rewrite KB, <- N2. apply E2. now rewrite N1. }
    assert (HQ' : forall d k, In d ds -> (forall s, In s idx -> here d k s = true -> p s = true) -> forall s, In s (assign q q ss) -> here d k s = true -> p s = true).
    { intros d k I H s J HE. destruct (Forall2_in_r _ _ _ _ NI J) as (s' & I' & N). rewrite <- (PN _ _ N). apply H; auto.
      unfold here in *. destruct (near_at s' s d N I) as [-> ->]. exact HE. }
    set (l := filter p (assign q q ss)). assert (L : Forall (enabled d1 d2 q) l).
    { apply Forall_forall. intros s. unfold l. rewrite filter_In. intros [I P]. auto. }
    destruct (runs_ok G inv d1 d2 q Q HQ PG TG PI TI DN KN TS FR V l L) as [GE RE] || 
    destruct (runs_ok G inv d1 d2 ss q Q HQ PG TG PI TI DN KN TS FR V l L) as [GE RE].
    set (e := runs d1 d2 q l) in *.
    assert (EX : forall d, In d ds -> exists_in d e = existsb (present_at d) (filter p idx)).
    { intros d I. rewrite (proj1 (RE d I)). unfold l. clear -NI PN I D1 D2 KF. induction NI as [|s s' k k' N _ IH]; cbn [filter]; auto.
      rewrite (PN _ _ N). destruct (p s'); auto. cbn [existsb]. rewrite IH. now rewrite (proj1 (near_at s s' d N I)). }
    set (w := fun d => set q Post (TBag (pair_type d)) (meaning r (by_key_term d))).
    assert (WW : forall d y u, is_slot y = false -> name_eqb y Post = false -> w d y u = q y u).
    { intros d y u _ N. unfold w, set. now rewrite N. }
    pose proof (final G inv d1 d2 q Q HQ PG TG TI KN FR V pt PMW PMC e (w d1) (w d2) GE (WW d1) (WW d2)) as F. cbn zeta in F.
    rewrite !EX in F by (cbn; auto). eexists; eexists. split; [exact F|]. rewrite KA, KB. split; intros H.
    - rewrite <- (near_o a b d1 a D1). fold q. f_equal. unfold w. do 2 f_equal.
      rewrite <- (near_bucket a b d1 a D1). fold q. rewrite <- KA at 3.
      destruct (bucket_run G inv d1 d2 ss q Q HQ PG TG PI TI DN KN TS SS FR PK IB V d1 p D1 EQ) as (_ & BR & _); [rewrite KA; apply HQ'; auto|].
      fold l e in BR. now rewrite BR.
    - rewrite <- (near_o a b d2 b D2). fold q. f_equal. unfold w. do 2 f_equal.
      rewrite <- (near_bucket a b d2 b D2). fold q. rewrite <- KB at 3.
      destruct (bucket_run G inv d1 d2 ss q Q HQ PG TG PI TI DN KN TS SS FR PK IB V d2 p D2 EQ) as (_ & BR & _); [rewrite KB; apply HQ'; auto|].
      fold l e in BR. now rewrite BR.
  Qed.

  Definition keys d := dedup (map (component 0) (elements (meaning r (source d)))).
  Lemma keys_in d k : In d ds -> In k (keys d) <-> exists s, In s idx /\ here d k s = true.
  Proof.
    intros I. unfold keys. rewrite dedup_in, in_map_iff. split.
    - intros (p & <- & P). apply (Permutation_in _ (pairs_ok d1 d2 ss r R TS SS d I)) in P. apply in_flat_map in P as (s & S1 & S2).
      exists s. split; auto. unfold out in S2. unfold here, present_at, key_at. destruct (toB (meaning s (present (sm d)))); [|destruct S2].
      destruct S2 as [<-|[]]. cbn. apply veqb_refl.
    - intros (s & S1 & S2). unfold here in S2. apply andb_true_iff in S2 as [S2 S3]. apply veqb_eq in S3. exists (meaning s (result (sm d))). split; auto.
      apply (Permutation_in _ (Permutation_sym (pairs_ok d1 d2 ss r R TS SS d I))). apply in_flat_map. exists s. split; auto.
      unfold out, present_at in *. rewrite S2. cbn; auto.
  Qed.
  Definition shared a b := exists s, In s idx /\ here d1 a s = true /\ here d2 b s = true.
  Lemma both_present s s' a b c d : In s idx -> In s' idx -> here d1 a s = true -> here d2 b s = true -> here d1 c s' = true -> here d2 d s' = true ->
    veqb a c = veqb b d.
  Proof.
    unfold here. rewrite !andb_true_iff, !veqb_eq. intros I I' [P1 <-] [P2 <-] [P3 <-] [P4 <-].
    apply (keys_agree G inv d1 d2 ss r R HG PG TG TS SS IB V s s' I I'); intros x [<-|[<-|[]]]; auto.
  Qed.
  Lemma here_near d k s s' : In d ds -> near s s' -> here d k s = here d k s'.
  Proof. intros I N. unfold here. now destruct (near_at s s' d N I) as [-> ->]. Qed.
  Lemma existsb_in {A} (f : A -> bool) l x : In x l -> f x = true -> existsb f l = true.
  Proof. intros; apply existsb_exists; eauto. Qed.
  Lemma existsb_none {A} (f : A -> bool) l : (forall x, In x l -> f x = false) -> existsb f l = false.
  Proof. intros H. induction l; cbn; auto. rewrite (H a) by (cbn; auto). apply IHl. intros; apply H; cbn; auto. Qed.

  Theorem outputs_same : Permutation (flat_map (o d1) (keys d1)) (flat_map (o d2) (keys d2)).
  Proof.
    apply (pair_off shared).
    - intros a b c (s & I & H1 & H2) (s' & I' & H3 & H4). pose proof (both_present _ _ _ _ _ _ I I' H1 H2 H3 H4) as E. rewrite veqb_refl in E. now apply veqb_eq.
    - intros a b c (s & I & H1 & H2) (s' & I' & H3 & H4). pose proof (both_present _ _ _ _ _ _ I I' H1 H2 H3 H4) as E. rewrite veqb_refl in E. now apply veqb_eq.
    - intros a b (s & I & H1 & H2).
      assert (TA : has_type a (kt d1)). { unfold here in H1. apply andb_true_iff in H1 as [_ H1]. apply veqb_eq in H1 as <-. now apply key_typed. }
      assert (TB : has_type b (kt d2)). { unfold here in H2. apply andb_true_iff in H2 as [_ H2]. apply veqb_eq in H2 as <-. now apply key_typed. }
      destruct (chosen a b (fun s => here d1 a s || here d2 b s) TA TB) as (x1 & x2 & E & X1 & X2).
      + intros s1 s2 N. now rewrite (here_near d1 a s1 s2), (here_near d2 b s1 s2).
      + intros s' I' P. assert (K : forall d, In d ds -> present_at d s' = true -> here d (key_at d s') s' = true) by (intros d _ PR; unfold here; now rewrite PR, veqb_refl).
        apply orb_true_iff in P as [P|P]; split; intros PR; pose proof P as P'; unfold here in P; apply andb_true_iff in P as [P Q]; apply veqb_eq in Q; auto.
        * pose proof (both_present _ _ _ _ _ _ I I' H1 H2 P' (K d2 D2 PR)) as Z. rewrite veqb_refl in Z. symmetry. now apply veqb_eq.
        * pose proof (both_present _ _ _ _ _ _ I I' H1 H2 (K d1 D1 PR) P') as Z. rewrite veqb_refl in Z. symmetry. now apply veqb_eq.
      + rewrite X1, X2 in E by (intros s' _ HE; now rewrite HE, ?orb_true_r).
        rewrite !(existsb_in _ _ s) in E; auto; try (apply filter_In; split; auto; now rewrite H1).
        * unfold here in H2. now apply andb_true_iff in H2 as [? _].
        * unfold here in H1. now apply andb_true_iff in H1 as [? _].
    - apply dedup_nodup.
    - apply dedup_nodup.
    - intros a A. apply (keys_in d1 a D1) in A as (s & I & H).
      assert (TA : has_type a (kt d1)). { unfold here in H. apply andb_true_iff in H as [_ H]. apply veqb_eq in H as <-. now apply key_typed. }
      destruct (existsb (fun s => here d1 a s && present_at d2 s) idx) eqn:E.
      + left. apply existsb_exists in E as (s' & I' & E). apply andb_true_iff in E as [E1 E2]. exists (key_at d2 s').
        assert (H2 : here d2 (key_at d2 s') s' = true) by (unfold here; now rewrite E2, veqb_refl).
        split; [apply (keys_in d2 _ D2); eauto|]. exists s'. auto.
      + right. assert (NP : forall s, In s idx -> here d1 a s = true -> present_at d2 s = false).
        { intros s' I' H'. apply not_true_is_false. intros P. rewrite (existsb_in _ _ s' I') in E; [discriminate|]. now rewrite H', P. }
        destruct (chosen a (default (kt d2)) (here d1 a) TA (default_typed _)) as (x1 & x2 & F & X1 & _).
        * intros; now apply here_near.
        * intros s' I' P. split; intros PR; [|rewrite (NP s' I' P) in PR; discriminate]. unfold here in P. apply andb_true_iff in P as [_ P]. now apply veqb_eq.
        * rewrite <- X1 by auto. rewrite (existsb_in _ _ s) in F; [|apply filter_In; auto|unfold here in H; now apply andb_true_iff in H as [? _]].
          rewrite F, existsb_none; auto. intros s'. rewrite filter_In. intros [I' P]. auto.
    - intros b B. apply (keys_in d2 b D2) in B as (s & I & H).
      assert (TB : has_type b (kt d2)). { unfold here in H. apply andb_true_iff in H as [_ H]. apply veqb_eq in H as <-. now apply key_typed. }
      destruct (existsb (fun s => here d2 b s && present_at d1 s) idx) eqn:E.
      + left. apply existsb_exists in E as (s' & I' & E). apply andb_true_iff in E as [E1 E2]. exists (key_at d1 s').
        assert (H2 : here d1 (key_at d1 s') s' = true) by (unfold here; now rewrite E2, veqb_refl).
        split; [apply (keys_in d1 _ D1); eauto|]. exists s'. auto.
      + right. assert (NP : forall s, In s idx -> here d2 b s = true -> present_at d1 s = false).
        { intros s' I' H'. apply not_true_is_false. intros P. rewrite (existsb_in _ _ s' I') in E; [discriminate|]. now rewrite H', P. }
        destruct (chosen (default (kt d1)) b (here d2 b) (default_typed _) TB) as (x1 & x2 & F & _ & X2).
        * intros; now apply here_near.
        * intros s' I' P. split; intros PR; [rewrite (NP s' I' P) in PR; discriminate|]. unfold here in P. apply andb_true_iff in P as [_ P]. now apply veqb_eq.
        * rewrite <- X2 by auto. rewrite (existsb_in (present_at d2) _ s) in F; [|apply filter_In; auto|unfold here in H; now apply andb_true_iff in H as [? _]].
          rewrite <- F, existsb_none; auto. intros s'. rewrite filter_In. intros [I' P]. auto.
  Qed.

  Lemma bucket_bag d : In d ds -> meaning r (by_key_term d) = bag (map (fun k => VTup [k; bucket r d k]) (keys d)).
  Proof. reflexivity. Qed.
  (** What follows a by-key fold, as its outputs for each key. *)
  Lemma post_outputs d q : In d ds -> monomials q = Some [pm d] -> type q = Some (TBag (pt d)) -> plain q = true ->
    slots (pm d) = [(Post, pair_type d, O)] -> has_type (meaning r (by_key_term d)) (TBag (pair_type d)) ->
    Permutation (elements (meaning (world d) q)) (flat_map (o d) (keys d)).
  Proof.
    intros I M T P SL TF. destruct (monomials_ok _ _ _ M T P) as (_ & _ & H).
    assert (TW : typed (world d)) by now apply set_typed.
    etransitivity; [exact (H _ TW)|]. cbn [flat_map]. rewrite app_nil_r. unfold outs. rewrite SL. cbn [assign fst snd]. unfold slot_type at 2; cbn [fst snd].
    unfold world at 2, set at 2. cbn [name_eqb]. rewrite ty_eqb_refl. cbn [andb]. rewrite (bucket_bag d I), flat_map_flat_map.
    etransitivity; [apply flat_map_perm, elements_bag|]. rewrite flat_map_map. apply flat_map_same. intros k _. cbn [flat_map]. rewrite app_nil_r. reflexivity.
  Qed.
End Final.
