(** * Induction over the elements of a bag

    What holds of the initial values of folds over one bag, and is kept by each element, holds of what the folds return.  Functions that
    are folds may have arguments: so "all elements are at most the maximum" is about the fold that says whether [x] was met, for any [x]. *)
From Tallystick Require Export Decompose.

Section Induction.
  Variables (ds : list defined) (G : term).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.
  Notation fine := (fine ds G).
  Notation lawful := (lawful ds G).

  (** ** Inputs with values for parameters *)
  Lemma typed_length vs ts : Forall2 has_type vs ts -> List.length vs = List.length ts.
  Proof. induction 1; cbn; auto. Qed.
  Lemma typed_app vs ws ts us : Forall2 has_type vs ts -> Forall2 has_type ws us -> Forall2 has_type (vs ++ ws) (ts ++ us).
  Proof. apply Forall2_app. Qed.
  Lemma params_bound gs : forall a c va vg vc r, Forall2 has_type va a -> Forall2 has_type vg gs -> Forall2 has_type vc c ->
    map (meaning (bound (a ++ gs ++ c) (va ++ vg ++ vc) r)) (params_from (List.length a) gs) = vg.
  Proof.
    induction gs as [|g gs IH]; intros a c va vg vc r A B C; inversion B as [|v ? vg' ? V VG]; subst; cbn [params_from map]; auto. f_equal.
    - assert (T : Forall2 has_type (va ++ (v :: vg') ++ vc) (a ++ (g :: gs) ++ c)) by (apply Forall2_app; auto; apply Forall2_app; auto).
      unfold meaning; cbn [run]. rewrite (bound_nth _ _ r (List.length a) g T).
      + rewrite <- (typed_length _ _ A). rewrite app_nth2, Nat.sub_diag; auto.
      + rewrite nth_error_app2, Nat.sub_diag; auto.
    - specialize (IH (a ++ [g])%list c (va ++ [v])%list vg' vc r ltac:(apply Forall2_app; auto) VG C). rewrite app_length, Nat.add_1_r in IH.
      rewrite <- !app_assoc in IH. exact IH.
  Qed.
  Definition here (r : env) (ts : list ty) := map (meaning r) (params ts).
  Lemma here_typed r ts : typed r -> Forall2 has_type (here r ts) ts.
  Proof. intros R. apply values_typed; auto. apply params_typed. Qed.
  Definition beside_params (r : env) (ts us : list ty) (ws : list val) : env := bound (ts ++ us) (here r ts ++ ws) r.
  Lemma beside_fine r ts us ws : fine r -> Forall2 has_type ws us -> fine (beside_params r ts us ws).
  Proof. intros F W. apply (fine_bound ds G OK SG); auto. apply Forall2_app; auto. apply here_typed, F. Qed.
  Lemma here_nth r ts i u : nth_error ts i = Some u -> nth i (here r ts) nothing = r (Any i) u.
  Proof.
    intros X. apply nth_error_nth. unfold here. rewrite (map_nth_error (meaning r) i (params ts) (d := Var (Any i) u)); auto. unfold params. now rewrite params_nth, X.
  Qed.
  Lemma beside_same calls r ts us ws t : typed r -> Forall2 has_type ws us -> scoped calls ts t = true -> forall e a, eval (beside_params r ts us ws) e a t = eval r e a t.
  Proof.
    intros R W S. apply (scoped_ext _ _ _ _ _ S). intros x u X. destruct x; auto. unfold beside_params.
    rewrite (bound_nth _ _ r i u (typed_app _ _ _ _ (here_typed r ts R) W)) by (rewrite nth_error_app1; [exact X|apply nth_error_Some; congruence]).
    rewrite app_nth1 by (rewrite (typed_length _ _ (here_typed r ts R)); apply nth_error_Some; congruence). now apply here_nth.
  Qed.
  Lemma beside_params_here r ts us ws : typed r -> Forall2 has_type ws us -> here (beside_params r ts us ws) ts = here r ts.
  Proof. intros R W. exact (params_bound ts [] us [] (here r ts) ws r (Forall2_nil _) (here_typed r ts R) W). Qed.
  Lemma beside_first r ts u v us ws : typed r -> has_type v u -> Forall2 has_type ws us -> meaning (beside_params r ts (u :: us) (v :: ws)) (parameter ts u) = v.
  Proof.
    intros R V W. pose proof (params_bound [u] ts us (here r ts) [v] ws r (here_typed r ts R) ltac:(auto) W) as E. cbn [params_from map app] in E. injection E as E. exact E.
  Qed.
  Lemma beside_member r ts us ws u b e x : fine r -> Forall2 has_type ws us -> scoped false ts b = true -> member ds ts u b = Some e -> type x = Some u ->
    In (meaning (beside_params r ts us ws) x) (elements (meaning r b)) -> toB (meaning (beside_params r ts us ws) (apply_to e ts [x])) = true.
  Proof.
    intros F W S M X I. apply (member_ok ds G OK _ ts u b e x (beside_fine r ts us ws F W) S M X). unfold meaning at 2. now rewrite (beside_same false r ts us ws b (fine_typed _ _ _ F) W S).
  Qed.
  Definition known_member (ts : list ty) (u : ty) (b x : term) : list term := match member ds ts u b with Some e => [apply_to e ts [x]] | None => [] end.

  (** ** The rule *)
  Record fold_call := { fc : defined; fargs : list term; finit : term; fstep : term; fover : term }.
  Definition read_call (ts : list ty) (c : nat * list term) : option fold_call := match nth_error ds (fst c) with
    | Some d => match substitute (put (snd c)) (body d), typed_as_b (snd c) (takes d) with
        | Op Fold [i; f; b], true => match type b with
            | Some (TBag u) => if forallb (scoped false ts) [i; f; b] && is (type i) (gives d) && is (typeof (Some u) (Some (gives d)) f) (gives d)
                then Some {| fc := d; fargs := snd c; finit := i; fstep := f; fover := b |} else None
            | _ => None end
        | _, _ => None end
    | None => None end.
  Definition called_so (c : fold_call) := call (fc c) (fargs c).
  Definition result_type (c : fold_call) := gives (fc c).
  Definition induction (fuel : nat) (ls : list law) (ts : list ty) (calls : list (nat * list term)) (inv : term) (base step : list use * tree) : list law :=
    match sequence (map (read_call ts) calls) with
    | Some (c0 :: cs) => match type (fover c0) with
        | Some (TBag u) =>
            let all := c0 :: cs in let gs := map result_type all in let X := parameter (ts ++ gs) u in
            let states := params_from (List.length ts) gs in let put_all l := substitute (put (params ts ++ l)) inv in
            if forallb (fun c => term_eqb (fover c) (fover c0)) cs && scoped true (ts ++ gs) inv && is (type inv) TBool &&
               follows ds G fuel ls [] (put_all (map finit all)) base &&
               follows ds G fuel ls (inv :: known_member ts u (fover c0) X) (put_all (map (fun cm => apply (Some X) (Some (snd cm)) (fstep (fst cm))) (combine all states))) step
            then [{| law_over := ts; law_says := put_all (map called_so all) |}] else []
        | _ => [] end
    | _ => [] end.

  Lemma read_call_ok ts c k : read_call ts c = Some k -> In (fc k) ds /\ typed_as (fargs k) (takes (fc k)) /\
    substitute (put (fargs k)) (body (fc k)) = Op Fold [finit k; fstep k; fover k] /\ scoped false ts (finit k) = true /\ scoped false ts (fstep k) = true /\
    scoped false ts (fover k) = true /\ type (finit k) = Some (result_type k) /\
    forall u, type (fover k) = Some (TBag u) -> typeof (Some u) (Some (result_type k)) (fstep k) = Some (result_type k).
  Proof.
    unfold read_call. destruct (nth_error ds (fst c)) as [d|] eqn:N; [|discriminate]. destruct (substitute _ _) as [| | | | | |o args] eqn:B; try discriminate.
    destruct o; try discriminate. destruct args as [|i [|f [|b [|]]]]; try discriminate. destruct (typed_as_b _ _) eqn:A; [|discriminate].
    destruct (type b) as [[| | | | |u]|] eqn:T; try discriminate. destruct (_ && _) eqn:C; [|discriminate]. intros [= <-]. unfold result_type. cbn.
    cbn [forallb] in C. rewrite !andb_true_iff in C. destruct C as [[(C1 & C2 & C3 & _) C4] C5]. apply is_eq in C4, C5. apply typed_as_ok in A. apply nth_error_In in N.
    repeat split; auto. intros w W. change (type b = Some (TBag w)) in W. rewrite T in W. injection W as <-. exact C5.
  Qed.
  Definition stepped (r : env) (cs : list fold_call) (ms : list val) (x : val) : list val := map (fun cm => eval r x (snd cm) (fstep (fst cm))) (combine cs ms).
  Definition returned (r : env) (c : fold_call) (l : list val) (m : val) := fold_left (fun m x => eval r x m (fstep c)) l m.
  Lemma stepped_all r cs l : forall ms, List.length ms = List.length cs ->
    fold_left (stepped r cs) l ms = map (fun cm => returned r (fst cm) l (snd cm)) (combine cs ms).
  Proof.
    induction l as [|x l IH]; intros ms L; cbn [fold_left].
    - unfold returned. cbn [fold_left]. revert ms L; induction cs; intros [|m ms]; cbn; try discriminate; auto. intros [= L]. f_equal. auto.
    - rewrite IH by (unfold stepped; rewrite map_length, combine_length; lia). unfold returned at 2. cbn [fold_left]. unfold stepped. clear IH.
      revert ms L; induction cs; intros [|m ms]; cbn; try discriminate; auto. intros [= L]. f_equal; auto.
  Qed.
  Lemma call_type' c ts k : read_call ts c = Some k -> type (called_so k) = Some (result_type k).
  Proof. intros K. apply read_call_ok in K as (J & A & _). now apply (call_type ds). Qed.

  Lemma stepped_terms r r2 u x X cs : typed r2 -> type X = Some u -> meaning r2 X = x ->
    (forall k, In k cs -> typeof (Some u) (Some (result_type k)) (fstep k) = Some (result_type k) /\ forall e a, eval r2 e a (fstep k) = eval r e a (fstep k)) ->
    forall states, typed_as states (map result_type cs) ->
    let next := map (fun cm => apply (Some X) (Some (snd cm)) (fstep (fst cm))) (combine cs states) in
    typed_as next (map result_type cs) /\ map (meaning r2) next = stepped r cs (map (meaning r2) states) x.
  Proof.
    intros R2 TX MX. unfold stepped. induction cs as [|k cs IH]; intros K states TS; inversion TS as [|st ? sts ? T TS']; subst; cbn [map combine fst snd]; [split; constructor|].
    destruct (K k) as [TF EV]; [cbn; auto|]. destruct (IH ltac:(intros; apply K; cbn; auto) sts TS') as [I1 I2].
    destruct (apply_ok r2 R2 (fstep k) (Some u) (Some (result_type k)) (meaning r2 X) (meaning r2 st) (Some X) (Some st) (result_type k)) as [A1 A2]; cbn; auto using typed_meaning.
    split; [constructor; auto|]. f_equal; auto. now rewrite A2, EV.
  Qed.

  Theorem induction_ok fuel ls ts calls inv base step : Forall lawful ls -> Forall lawful (induction fuel ls ts calls inv base step).
  Proof.
    intros L. unfold induction. destruct (sequence _) as [[|c0 cs]|] eqn:SQ; try constructor. destruct (type (fover c0)) as [[| | | | |u]|] eqn:TB; try constructor.
    cbv zeta. destruct (_ && _) eqn:C; [|constructor]. set (all := c0 :: cs) in *. set (gs := map result_type all) in *. set (X := parameter (ts ++ gs) u) in *.
    set (states := params_from (List.length ts) gs) in *. rewrite !andb_true_iff in C. destruct C as ((((CE & CI) & CT) & CB) & CS). apply is_eq in CT.
    apply sequence_all in SQ. fold all in SQ.
    assert (RC : forall k, In k all -> In (fc k) ds /\ typed_as (fargs k) (takes (fc k)) /\ substitute (put (fargs k)) (body (fc k)) = Op Fold [finit k; fstep k; fover k] /\
      scoped false ts (finit k) = true /\ scoped false ts (fstep k) = true /\ type (finit k) = Some (result_type k) /\ typeof (Some u) (Some (result_type k)) (fstep k) = Some (result_type k)).
    { intros k K. assert (B : fover k = fover c0).
      { destruct K as [<-|K]; auto. rewrite forallb_forall in CE. now apply term_eqb_eq, CE. }
      assert (exists c, read_call ts c = Some k) as [c RK] by (clear -SQ K; induction SQ; [destruct K|]; destruct K as [->|K]; eauto).
      apply read_call_ok in RK as (A1 & A2 & A3 & A4 & A5 & A6 & A7 & A8). repeat split; auto. apply A8. now rewrite B. }
    assert (SB : scoped false ts (fover c0) = true).
    { inversion SQ; subst. match goal with H : read_call ts _ = Some c0 |- _ => apply read_call_ok in H; tauto end. }
    assert (TI : typed_as (map finit all) gs) by (unfold typed_as, gs; clear -RC; induction all as [|k l IH]; cbn; constructor; [apply RC; cbn; auto|apply IH; intros; apply RC; cbn; auto]).
    assert (TC : typed_as (map called_so all) gs).
    { unfold typed_as, gs. clear -RC. induction all as [|k l IH]; cbn; constructor; [|apply IH; intros; apply RC; cbn; auto].
      destruct (RC k) as (J & A & _); [cbn; auto|]. now apply (call_type ds). }
    assert (PA : forall l, typed_as l gs -> typed_as (params ts ++ l) (ts ++ gs)) by (intros; apply typed_as_app; auto; apply params_typed).
    constructor; [|constructor]. split; cbn [law_says].
    { exact (proj1 (put_ok default_env _ _ inv TBool default_env_typed (PA _ TC) CT)). }
    intros r F. pose proof (fine_typed _ _ _ F) as R. set (vs := here r ts). pose proof (here_typed r ts R) as VS. fold vs in VS.
    assert (PUT : forall r' l, typed r' -> typed_as l gs -> meaning r' (substitute (put (params ts ++ l)) inv) = meaning (bound (ts ++ gs) (here r' ts ++ map (meaning r') l) r') inv).
    { intros r' l R' T. rewrite (proj2 (put_ok r' _ _ inv TBool R' (PA _ T) CT)). unfold here. now rewrite map_app. }
    set (holds := fun ms => Forall2 has_type ms gs /\ toB (meaning (beside_params r ts gs ms) inv) = true).
    set (l := elements (meaning r (fover c0))).
    assert (LT : Forall (fun v => has_type v u) l) by (apply has_type_elements, typed_meaning; auto).
    assert (H0 : holds (map (meaning r) (map finit all))).
    { split; [now apply values_typed|]. destruct (follows_ok ds G OK SG fuel ls [] _ base CB L) as [_ B]. specialize (B r F ltac:(intros h [])). now rewrite (PUT r _ R TI) in B. }
    assert (HS : forall ms x, In x l -> holds ms -> holds (stepped r all ms x)).
    { intros ms x IX [MT MI]. rewrite Forall_forall in LT. pose proof (LT x IX) as XT.
      assert (ST : Forall2 has_type (stepped r all ms x) gs).
      { unfold stepped. unfold gs in MT |- *. clear -RC MT XT R. revert ms MT. induction all as [|k al IH]; intros ms MT; inversion MT; subst; cbn; constructor.
        - destruct (RC k) as (_ & _ & _ & _ & _ & _ & T); [cbn; auto|]. eapply preservation; eauto; cbn; auto.
        - apply IH; auto. intros; apply RC; cbn; auto. }
      split; auto. set (r2 := beside_params r ts (gs ++ [u]) (ms ++ [x])).
      assert (W2 : Forall2 has_type (ms ++ [x]) (gs ++ [u])) by (apply Forall2_app; auto).
      pose proof (beside_fine r ts _ _ F W2) as F2. fold r2 in F2. pose proof (fine_typed _ _ _ F2) as R2.
      assert (X2 : meaning r2 X = x).
      { pose proof (params_bound [u] (ts ++ gs) [] (vs ++ ms) [x] [] r ltac:(apply Forall2_app; auto) ltac:(auto) ltac:(auto)) as E. cbn [params_from map app] in E.
        unfold r2, beside_params. rewrite <- app_assoc in E. fold vs. unfold X, parameter. rewrite <- app_assoc in E. injection E as E. exact E. }
      assert (M2 : map (meaning r2) states = ms).
      { exact (params_bound gs ts [u] vs ms [x] r VS MT ltac:(auto)). }
      assert (INV : forall r' ms', (forall x w, match x with Any _ => False | _ => True end -> r' x w = r x w) -> Forall2 has_type ms' gs ->
          meaning (bound (ts ++ gs) (vs ++ ms') r') inv = meaning (beside_params r ts gs ms') inv).
      { intros r' ms' A T. apply (scoped_ext _ _ _ _ _ CI). intros y w Y. unfold beside_params. fold vs. destruct y; try (cbn [bound]; now apply A).
        pose proof (typed_app _ _ _ _ VS T) as V. now rewrite !(bound_nth _ _ _ _ _ V Y). }
      destruct (follows_ok ds G OK SG fuel ls _ _ step CS L) as [_ B]. specialize (B r2 F2).
      assert (TS : typed_as states gs) by (unfold typed_as, states; clear; generalize (List.length ts); induction gs; cbn; constructor; auto).
      destruct (stepped_terms r r2 u x X all R2 eq_refl X2) with (states := states) as [TN MN]; auto.
      { intros k K. destruct (RC k K) as (_ & _ & _ & _ & SF & _ & TF). split; auto. intros e a. now apply (beside_same false r ts _ _ (fstep k) R W2). }
      rewrite M2 in MN. rewrite (PUT r2 _ R2 TN) in B. replace (here r2 ts) with vs in B by (symmetry; now apply beside_params_here). rewrite MN, INV in B; auto.
      - apply B. intros h [<-|KM].
        + rewrite <- MI. f_equal. unfold r2, beside_params. fold vs. apply (scoped_ext _ _ _ _ _ CI). intros y w Y. destruct y; auto.
          pose proof (typed_app _ _ _ _ VS MT) as V. pose proof (typed_app _ _ _ _ V ltac:(constructor; [exact XT|constructor])) as V'. rewrite <- !app_assoc in V'.
          rewrite (bound_nth _ _ _ _ _ V Y). rewrite (bound_nth _ _ r i w V') by (rewrite app_assoc, nth_error_app1; [exact Y|apply nth_error_Some; congruence]).
          rewrite app_assoc, app_nth1; auto. rewrite (typed_length _ _ V). apply nth_error_Some. congruence.
        + unfold known_member in KM. destruct (member ds ts u (fover c0)) as [e|] eqn:M; [|destruct KM]. destruct KM as [<-|[]].
          apply (beside_member r ts _ _ u (fover c0) e X F W2 SB M eq_refl). fold r2. now rewrite X2.
      - intros y w Y. unfold r2, beside_params. destruct y; cbn [bound]; auto. destruct Y. }
    set (ms0 := map (meaning r) (map finit all)) in *.
    assert (HF : forall k ms, (forall x, In x k -> In x l) -> holds ms -> holds (fold_left (stepped r all) k ms)).
    { induction k as [|x k IH]; cbn [fold_left]; auto. intros ms K H. apply IH; [intros; apply K; cbn; auto|]. apply HS; auto. apply K. cbn. auto. }
    destruct (HF l ms0 (fun _ H => H) H0) as [HT HI]. rewrite (PUT r _ R TC). fold vs. rewrite <- HI. f_equal. f_equal. unfold beside_params. fold vs. do 2 f_equal.
    rewrite stepped_all by (unfold ms0; now rewrite !map_length). unfold ms0. clear -RC R F OK CE l. subst l.
    assert (EB : forall k, In k all -> fover k = fover c0).
    { intros k [<-|K]; auto. rewrite forallb_forall in CE. now apply term_eqb_eq, CE. }
    clearbody all. clear CE. induction all as [|k al IH]; cbn [map combine fst snd]; auto. f_equal; [|apply IH; intros; [apply RC|apply EB]; cbn; auto].
    destruct (RC k) as (J & A & B & _); [cbn; auto|]. unfold called_so. rewrite (proj2 (call_ok ds G OK r _ _ F J A)), B. unfold meaning at 1. cbn [run in_order]. unfold returned.
    rewrite (EB k) by (cbn; auto). reflexivity.
  Qed.
End Induction.
