(** * PARTITION: a fold has one value however its elements are spread over partitions

    Spark folds the elements of each partition, and merges the results.  Merging with a part is taking its elements
    ([merge_folded], [merge_part]), so that all trees of merges are folds of all elements, in some order. *)
From Tallystick Require Export Order.

(** ** What merging does *)
Section Merging.
  Variables (f merge : val -> val -> val) (Q J : val -> Prop) (z : val).
  Hypothesis J_step : forall a y, J a -> Q y -> J (f a y).
  Hypothesis later : forall a n y, J a -> J n -> Q y -> merge a (f n y) = f (merge a n) y.
  Lemma J_folded ys : Forall Q ys -> forall a, J a -> J (fold_left f ys a).
  Proof. induction 1; cbn; auto. Qed.

  (** With parts that may be empty. *)
  Lemma merge_folded : J z -> (forall a, J a -> merge a z = a) ->
    forall ys, Forall Q ys -> forall a, J a -> merge a (fold_left f ys z) = fold_left f ys a.
  Proof.
    intros Z U ys Y a A. induction ys as [|y ys IH] using rev_ind; cbn; auto.
    apply Forall_app in Y as [Y H]. inversion H; subst. rewrite !fold_left_app. cbn. rewrite later; auto using J_folded. now rewrite IH.
  Qed.
  Lemma partitions_folded : J z -> (forall a, J a -> merge a z = a) -> forall parts, Forall Q (List.concat parts) -> forall a, J a ->
    fold_left merge (map (fun part => fold_left f part z) parts) a = fold_left f (List.concat parts) a.
  Proof.
    intros Z U parts. induction parts as [|p parts IH]; cbn; intros H a A; auto. apply Forall_app in H as [P H].
    rewrite merge_folded, fold_left_app by auto. apply IH; auto using J_folded.
  Qed.

  (** With parts that are not empty: what holds of states holds after one element or more. *)
  Hypothesis J_first : forall y, Q y -> J (f z y).
  Hypothesis unit : forall a y, J a -> Q y -> merge a (f z y) = f a y.
  Lemma merge_part y ys : Forall Q (y :: ys) -> forall a, J a -> merge a (fold_left f (y :: ys) z) = fold_left f (y :: ys) a.
  Proof.
    intros Y a A. inversion Y as [|? ? Qy Y']; subst. cbn [fold_left]. clear Y. induction ys as [|x ys IH] using rev_ind; cbn; auto.
    apply Forall_app in Y' as [Y H]. inversion H; subst. rewrite !fold_left_app. cbn. rewrite later; auto using J_folded. now rewrite IH.
  Qed.
  Lemma parts_folded ys v : in_parts f merge z ys v -> Forall Q ys -> ys <> [] /\ v = fold_left f ys z /\ J v.
  Proof.
    induction 1 as [ys N|ys ws a b _ IHa _ IHb]; intros Y.
    - split; [exact N|]. split; [reflexivity|]. destruct ys as [|y ys]; [congruence|]. inversion Y; subst. cbn. auto using J_folded.
    - apply Forall_app in Y as [Y W]. destruct (IHa Y) as (N & -> & A). destruct (IHb W) as (N' & -> & _).
      destruct ws as [|w ws]; [congruence|]. rewrite merge_part, <- fold_left_app by auto. split; [destruct ys; discriminate|]. split; [reflexivity|].
      rewrite fold_left_app. auto using J_folded.
  Qed.
End Merging.

(** ** The premises *)
Definition merged (g state part : term) := apply (Some part) (Some state) g.
Definition another_state (d : opened) := Var (Any 3) (st d).
(** What the first element alone makes of the start. *)
Definition alone (d : opened) := step_of d (start_ d) (snd (first_element d)).
Definition later_merged (d : opened) (M : name) (inv g : term) :=
  let s := Var M (st d) in let n := another_state d in let e := first_element d in
  implies (conj [inv; fst e; holds_at d M inv n]) (eq' (merged g s (step_of d n (snd e))) (step_of d (merged g s n) (snd e))).
Definition unit_merged (d : opened) (M : name) (inv g : term) := let s := Var M (st d) in implies inv (eq' (merged g s (start_ d)) s).
Definition alone_merged (d : opened) (M : name) (inv g : term) := let s := Var M (st d) in let e := first_element d in
  implies (conj [inv; fst e]) (eq' (merged g s (alone d)) (step_of d s (snd e))).
Definition initial_alone (d : opened) (M : name) (inv : term) := implies (fst (first_element d)) (holds_at d M inv (alone d)).
Definition first_commute (d : opened) := let e1 := first_element d in let e2 := second_element d in
  implies (conj [fst e1; fst e2]) (either_order d (start_ d) (snd e1) (snd e2)).
Definition partition_premises (d : opened) (M : name) (inv g : term) : list term := match key d with
  | None => [initial d M inv; unit_merged d M inv g; preserved d M inv; commutes d M inv; later_merged d M inv g]
  | Some _ => [initial_alone d M inv; first_commute d; alone_merged d M inv g; preserved d M inv; commutes d M inv; later_merged d M inv g]
  end.
Definition merge_ok (d : opened) (M : name) (g : term) := plain g && apart M g && is (typeof (Some (st d)) (Some (st d)) g) (st d).

(** ** Soundness *)
Section PartitionSound.
  Variables (t : term) (d : opened) (M : name) (inv g : term) (r : env).
  Hypothesis R : typed r.
  Hypothesis OK : order_ok_for t d M inv = true.
  Hypothesis MG : merge_ok d M g = true.
  Hypothesis TB : Forall (well (source_type d)) (ms d) /\ Forall indexed (ms d) /\
    Permutation (elements (meaning r (over_ d))) (flat_map (outs r r) (ms d)).
  Hypothesis TS : type (start_ d) = Some (st d).
  Hypothesis TF : typeof (Some (et d)) (Some (st d)) (body d) = Some (st d).
  Hypothesis PF : plain (body d) = true.
  Hypothesis PS : plain (start_ d) = true.
  Variable kv : val.
  Hypothesis TK : has_type kv (key_type d).
  Let J := J d M inv r.
  Let Q := Q d r kv.
  Let G := G d r.
  Let z := meaning r (start_ d).
  Definition K (a part : val) := eval r part a g.
  (** A state of the fold. *)
  Definition state (a : val) := has_type a (st d) /\ J a.

  Lemma typed_merge : plain g = true /\ apart M g = true /\ typeof (Some (st d)) (Some (st d)) g = Some (st d).
  Proof. unfold merge_ok in MG. rewrite !andb_true_iff in MG. destruct MG as [[A B] C]. apply is_eq in C. auto. Qed.
  Lemma merged_ok b s p : typed b -> type s = Some (st d) -> type p = Some (st d) -> (forall x m, eval b x m g = eval r x m g) ->
    type (merged g s p) = Some (st d) /\ meaning b (merged g s p) = K (meaning b s) (meaning b p).
  Proof.
    intros B S P E. unfold K. rewrite <- E. apply (apply_ok b B g (Some (st d)) (Some (st d))); cbn; auto using typed_meaning. apply typed_merge.
  Qed.
  Lemma start_at b : (forall u, plain u = true -> apart M u = true -> forall x m, eval b x m u = eval r x m u) -> meaning b (start_ d) = z.
  Proof. intros E. apply E; auto. now apply (apart_body t d M inv). Qed.

  (** Each premise, as what it says of states and elements. *)
  Lemma unit_at : valid (unit_merged d M inv g) -> forall a, state a -> K a z = a.
  Proof.
    intros V a [A JA]. set (b := set r M (st d) a). assert (B : typed b) by now apply set_typed.
    destruct (facts_of t d M inv r OK TB) as (_ & _ & TI & _). destruct typed_merge as (_ & AG & _). destruct (apart_body t d M inv OK) as [_ AS].
    assert (SAME : forall u, apart M u = true -> forall x m, eval b x m u = eval r x m u).
    { intros u AU x m. apply eval_ext. intros y k U. unfold b, set. destruct (name_eqb y M) eqn:E; auto. apply name_eqb_eq in E. subst.
      apply uses_occurs in U. rewrite (proj1 (apart_ok M u AU)) in U. discriminate. }
    assert (BM : meaning b (Var M (st d)) = a) by (unfold meaning; cbn [run]; unfold b, set; now rewrite (proj2 (name_eqb_eq M M) eq_refl), ty_eqb_refl).
    destruct (merged_ok b (Var M (st d)) (start_ d) B eq_refl TS (SAME g AG)) as [T1 T2].
    destruct (eq_ok b _ (Var M (st d)) (st d) B T1 eq_refl) as [E1 E2].
    pose proof (V b B) as W. unfold unit_merged in W. cbv zeta in W. rewrite (proj2 (implies_ok b _ _ B TI E1)), E2, T2, BM in W.
    replace (meaning b (start_ d)) with z in W by (symmetry; apply SAME; auto). unfold J, Order.J in JA. fold b in JA. rewrite JA in W. now apply veqb_eq in W.
  Qed.
  Lemma preserved_at : valid (preserved d M inv) -> forall a y, state a -> Q y -> state (G a y).
  Proof. intros V a y [A JA] Y. split; [eapply G_typed; eauto|eapply (J_step t); eauto]. Qed.
  Lemma one_element a n y : has_type a (st d) -> has_type n (st d) -> Q y -> exists b, typed b /\ meaning b (Var M (st d)) = a /\
    meaning b (another_state d) = n /\ (toB (meaning b inv) = true <-> J a) /\
    (forall u, plain u = true -> apart M u = true -> forall x m, eval b x m u = eval r x m u) /\
    (forall s, type s = Some (st d) -> bool_term (holds_at d M inv s) /\ (toB (meaning b (holds_at d M inv s)) = true <-> J (meaning b s))) /\
    let e := first_element d in bool_term (fst e) /\ type (snd e) = Some (et d) /\ toB (meaning b (fst e)) = true /\ meaning b (snd e) = y.
  Proof.
    intros A N (s & m & p & S1 & S2 & S3 & S4 & S5 & E).
    destruct (two_ok t d M inv r R OK TB PF kv TK a n y y s s m m p p A N S1 S1 S2 S2 S3 S3 S4 S4 S5 S5 E E) as (B & BM & BN & BI & BG & F & _).
    exists (two d M r kv a n y y s s). split; [exact B|]. split; [exact BM|]. split; [exact BN|]. split; [exact BI|]. split; [exact BG|]. split; [|exact F].
    intros w W. apply (holds_ok t d M inv r OK TB _ w _ B W eq_refl). intros. now apply (two_inv t d M inv r OK TB).
  Qed.
  Lemma later_at : valid (later_merged d M inv g) -> forall a n y, state a -> state n -> Q y -> K a (G n y) = G (K a n) y.
  Proof.
    intros V a n y [A JA] [N JN] Y. destruct (one_element a n y A N Y) as (b & B & BM & BN & BI & BG & BH & F1 & F2 & F3 & F4).
    destruct (facts_of t d M inv r OK TB) as (_ & _ & TI & _). destruct typed_merge as (PG & AG & _). destruct (apart_body t d M inv OK) as [AB _].
    destruct (step_ok d r TF b (another_state d) (snd (first_element d)) B eq_refl F2 (BG _ PF AB)) as [T1 T2].
    destruct (merged_ok b (Var M (st d)) _ B eq_refl T1 (BG g PG AG)) as [T3 T4].
    destruct (merged_ok b (Var M (st d)) (another_state d) B eq_refl eq_refl (BG g PG AG)) as [T5 T6].
    destruct (step_ok d r TF b _ (snd (first_element d)) B T5 F2 (BG _ PF AB)) as [T7 T8].
    destruct (BH (another_state d) eq_refl) as [H1 H2]. destruct (eq_ok b _ _ (st d) B T3 T7) as [E1 E2].
    destruct (conj_list_ok b [inv; fst (first_element d); holds_at d M inv (another_state d)] B) as [C1 C2]; [repeat constructor; auto|].
    pose proof (V b B) as W. unfold later_merged in W. cbv zeta in W. rewrite (proj2 (implies_ok b _ _ B C1 E1)), C2, E2 in W. cbn [map forallb] in W.
    rewrite BN in H2. rewrite (proj2 BI JA), F3, (proj2 H2 JN) in W. cbn [andb implb] in W. apply veqb_eq in W.
    rewrite T4, T8, T2, T6, BM, BN, F4 in W. exact W.
  Qed.
  Lemma alone_ok b y : typed b -> (forall u, plain u = true -> apart M u = true -> forall x m, eval b x m u = eval r x m u) ->
    type (snd (first_element d)) = Some (et d) -> meaning b (snd (first_element d)) = y -> type (alone d) = Some (st d) /\ meaning b (alone d) = G z y.
  Proof.
    intros B BG F2 F4. destruct (apart_body t d M inv OK) as [AB _].
    destruct (step_ok d r TF b (start_ d) (snd (first_element d)) B TS F2 (BG _ PF AB)) as [T1 T2].
    split; [exact T1|]. unfold alone. rewrite T2, F4. now rewrite start_at.
  Qed.
  Lemma z_typed : has_type z (st d).
  Proof. now apply typed_meaning. Qed.
  Lemma first_at : valid (initial_alone d M inv) -> forall y, Q y -> state (G z y).
  Proof.
    intros V y Y. split; [eapply G_typed; eauto using z_typed|].
    destruct (one_element z z y z_typed z_typed Y) as (b & B & _ & _ & _ & BG & BH & F1 & F2 & F3 & F4).
    destruct (alone_ok b y B BG F2 F4) as [T1 T2]. destruct (BH _ T1) as [H1 H2]. rewrite T2 in H2. apply H2.
    pose proof (V b B) as W. unfold initial_alone in W. rewrite (proj2 (implies_ok b _ _ B F1 H1)), F3 in W. exact W.
  Qed.
  Lemma alone_at : valid (alone_merged d M inv g) -> forall a y, state a -> Q y -> K a (G z y) = G a y.
  Proof.
    intros V a y [A JA] Y. destruct (one_element a a y A A Y) as (b & B & BM & _ & BI & BG & _ & F1 & F2 & F3 & F4).
    destruct (facts_of t d M inv r OK TB) as (_ & _ & TI & _). destruct typed_merge as (PG & AG & _). destruct (apart_body t d M inv OK) as [AB _].
    destruct (alone_ok b y B BG F2 F4) as [T1 T2]. destruct (merged_ok b (Var M (st d)) _ B eq_refl T1 (BG g PG AG)) as [T3 T4].
    destruct (step_ok d r TF b (Var M (st d)) (snd (first_element d)) B eq_refl F2 (BG _ PF AB)) as [T5 T6].
    destruct (eq_ok b _ _ (st d) B T3 T5) as [E1 E2].
    destruct (conj_list_ok b [inv; fst (first_element d)] B) as [C1 C2]; [repeat constructor; auto|].
    pose proof (V b B) as W. unfold alone_merged in W. cbv zeta in W. rewrite (proj2 (implies_ok b _ _ B C1 E1)), C2, E2 in W. cbn [map forallb] in W.
    rewrite (proj2 BI JA), F3 in W. cbn [andb implb] in W. apply veqb_eq in W. now rewrite T4, T6, T2, BM, F4 in W.
  Qed.
  Lemma first_commute_at : valid (first_commute d) -> forall y w, Q y -> Q w -> G (G z y) w = G (G z w) y.
  Proof.
    intros V y w (s & m & p & S1 & S2 & S3 & S4 & S5 & E) (s' & m' & p' & S1' & S2' & S3' & S4' & S5' & E').
    destruct (two_ok t d M inv r R OK TB PF kv TK z z y w s s' m m' p p' z_typed z_typed S1 S1' S2 S2' S3 S3' S4 S4' S5 S5' E E')
      as (B & _ & _ & _ & BG & (F1 & F2 & F3 & F4) & (G1 & G2 & G3 & G4)).
    destruct (apart_body t d M inv OK) as [AB _]. set (b := two d M r kv z z y w s s') in *. set (e1 := first_element d) in *. set (e2 := second_element d) in *.
    pose proof (BG _ PF AB) as BB.
    destruct (step_ok d r TF b (start_ d) (snd e1) B TS F2 BB) as [T1 T2]. destruct (step_ok d r TF b (start_ d) (snd e2) B TS G2 BB) as [T3 T4].
    destruct (step_ok d r TF b _ (snd e2) B T1 G2 BB) as [T5 T6]. destruct (step_ok d r TF b _ (snd e1) B T3 F2 BB) as [T7 T8].
    destruct (eq_ok b _ _ (st d) B T5 T7) as [E1 E2]. destruct (conj_list_ok b [fst e1; fst e2] B) as [C1 C2]; [repeat constructor; auto|].
    pose proof (V b B) as W. unfold first_commute in W. cbv zeta in W. fold e1 e2 in W. unfold either_order in W.
    rewrite (proj2 (implies_ok b _ _ B C1 E1)), C2, E2 in W. cbn [map forallb] in W. rewrite F3, G3 in W. cbn [andb implb] in W.
    apply veqb_eq in W. rewrite T6, T8, T2, T4, F4, G4, (start_at b BG) in W. exact W.
  Qed.
  Lemma commutes_at : valid (commutes d M inv) -> forall a y w, state a -> Q y -> Q w -> G (G a y) w = G (G a w) y.
  Proof. intros V a y w [A JA] Y W. eapply (commute_at t); eauto. Qed.

  Theorem any_partitions l parts : valid (initial d M inv) -> valid (unit_merged d M inv g) -> valid (preserved d M inv) ->
    valid (commutes d M inv) -> valid (later_merged d M inv g) -> Forall Q l -> Permutation l (List.concat parts) ->
    fold_left K (map (fun part => fold_left G part z) parts) z = fold_left G l z.
  Proof.
    intros V1 V2 V3 V4 V5 F P. assert (Z : state z) by (split; [apply z_typed|eapply (J_start t); eauto]).
    assert (F' : Forall Q (List.concat parts)) by (eapply Permutation_Forall; eauto).
    rewrite (partitions_folded G K Q state z); auto using preserved_at, later_at, unit_at.
    symmetry. apply (fold_left_perm G Q state); auto using preserved_at, commutes_at.
  Qed.
  Theorem any_parts l l' v : valid (initial_alone d M inv) -> valid (first_commute d) -> valid (alone_merged d M inv g) ->
    valid (preserved d M inv) -> valid (commutes d M inv) -> valid (later_merged d M inv g) -> Forall Q l -> Permutation l l' ->
    in_parts G K z l' v -> v = fold_left G l z.
  Proof.
    intros V1 V2 V3 V4 V5 V6 F P IP. assert (F' : Forall Q l') by (eapply Permutation_Forall; eauto).
    destruct (parts_folded G K Q state z) with (ys := l') (v := v) as (_ & -> & _); auto using preserved_at, later_at, first_at, alone_at.
    symmetry. apply (fold_left_perm G Q (fun a => a = z \/ state a)); auto.
    - intros a y [->|A] Y; right; auto using first_at, preserved_at.
    - intros a y w [->|A] Y W; auto using first_commute_at, commutes_at.
  Qed.
End PartitionSound.

Lemma in_parts_present f merge z l v : in_parts f merge z l v -> l <> [].
Proof. induction 1; auto. destruct l; [congruence|discriminate]. Qed.
Lemma partition_open t d M inv g r : typed r -> read_open t = Some d -> order_ok_for t d M inv = true -> merge_ok d M g = true ->
  (forall p, In p (partition_premises d M inv g) -> valid p) -> takes_any_parts r g t /\ takes_any_order r t.
Proof.
  intros R RO OK MG V. destruct (read_open_ok _ _ RO) as (SH & T1 & T2 & T3 & T4).
  assert (PT : plain t = true) by (unfold order_ok_for in OK; rewrite !andb_true_iff in OK; tauto).
  destruct (folded_elements t d r R RO PT) as (PB & PS & TB & EL & EK). unfold partition_premises in V.
  destruct SH as [[-> KN]|[-> KN]]; cbn [takes_any_parts takes_any_order].
  - rewrite KN in V. split.
    + intros parts P. eapply (any_partitions _ d M inv g r R OK MG TB T1 T2 PB (default (key_type d)) (default_typed _)); eauto; apply V; cbn [In]; tauto.
    + intros l P. symmetry. eapply (any_order_fold _ d M inv r R OK TB T1 T2 PB); eauto using default_typed; apply V; cbn [In]; tauto.
  - assert (X : forall k l v, Permutation (values_of_key k (elements (meaning r (over_ d)))) l ->
      in_parts (fun m x => eval r x m (body d)) (fun m part => eval r part m g) (meaning r (start_ d)) l v ->
      v = fold_left (fun m x => eval r x m (body d)) (values_of_key k (elements (meaning r (over_ d)))) (meaning r (start_ d))).
    { intros k l v P IP. specialize (EK KN k). destruct (key d) as [kt|] eqn:KD; [|congruence].
      destruct (values_of_key k (elements (meaning r (over_ d)))) as [|y ys] eqn:EV.
      - apply Permutation_nil in P. subst. exfalso. now apply (in_parts_present _ _ _ _ _ IP).
      - destruct EK as [TK F]; [discriminate|].
        eapply (any_parts _ d M inv g r R OK MG TB T1 T2 PB PS k TK (y :: ys) l v); eauto; apply V; cbn [In]; tauto. }
    split; [exact X|]. intros k l P. destruct l as [|y l].
    + symmetry in P. apply Permutation_nil in P. now rewrite P.
    + apply (X k (y :: l)); auto. constructor. discriminate.
Qed.

(** What a certificate says for PARTITION: the name of the state, and the invariant. *)
Definition parted (fuel : nat) (t g : term) (M : name) (inv : term) (evidence : list tree) : bool :=
  let g' := substitute (open_with (inner t)) g in
  anyless t && merge_fits t g && match type t, read_open (opened_fold t) with
  | Some _, Some d => order_ok_for (opened_fold t) d M inv && merge_ok d M g' && discharged fuel (partition_premises d M inv g') evidence
  | _, _ => false
  end.
Theorem parted_ok fuel t g M inv evidence : parted fuel t g M inv evidence = true -> forall r, typed r -> takes_any_parts r g t /\ takes_any_order r t.
Proof.
  unfold parted. cbv zeta. rewrite !andb_true_iff. intros [[A MF] C] r R. destruct (type t) as [tt|] eqn:TT; [|discriminate].
  destruct (read_open (opened_fold t)) as [d|] eqn:RO; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[OK MG] D].
  destruct (partition_open (opened_fold t) d M inv (substitute (open_with (inner t)) g) (open_env r (inner t))) as [P O]; auto using open_typed.
  { intros p P. exact (proj2 (discharged_ok _ _ _ D p P)). }
  split; [apply (opened_one_value r t (Some g) R A)|apply (opened_one_value r t None R A)]; auto; try (rewrite TT; discriminate); try discriminate.
  intros ? [= <-]. exact MF.
Qed.
